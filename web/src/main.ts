import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { ApiEngine } from './lib/api_engine';
import { useEngine } from './lib/engine';
import { backend } from './lib/fallback_backend.svelte';
import { speech } from './lib/i18n.svelte';
import { workOffline } from './lib/offline.svelte';
import { applySettings } from './lib/settings.svelte';

useEngine(new ApiEngine(backend));
speech.load = (language) => backend.get(`/api/messages/${language}`);
applySettings();
mount(App, { target: document.getElementById('app')! });
if (import.meta.env.PROD) workOffline();
