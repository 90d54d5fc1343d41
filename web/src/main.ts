import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { useEngine } from './lib/engine';
import { ServerEngine } from './lib/server_engine';
import { applySettings } from './lib/settings.svelte';

useEngine(new ServerEngine());
applySettings();
mount(App, { target: document.getElementById('app')! });
