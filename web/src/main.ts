import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { answering } from './lib/answering.svelte';
import { ApiEngine } from './lib/api_engine';
import { useEngine } from './lib/engine';
import { speech } from './lib/i18n.svelte';
import { workOffline } from './lib/offline';
import { applySettings } from './lib/settings.svelte';

useEngine(new ApiEngine(answering));
speech.load = (language) => answering.get(`/api/messages/${language}`);
applySettings();
mount(App, { target: document.getElementById('app')! });
if (import.meta.env.PROD) workOffline();
