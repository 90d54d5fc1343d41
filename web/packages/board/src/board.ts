// The package's entry: the element with the modules of paika-engine, on the visitor's own device.

import { openEngine } from 'paika-engine';
import { defineBoard } from '../../../src/element/paika_board';
import { ApiEngine } from '../../../src/lib/api_engine';
import { useEngine } from '../../../src/lib/engine';
import { settings } from '../../../src/lib/settings.svelte';

export { type BoardMove, PaikaBoard } from '../../../src/element/paika_board';

settings.sound = false; // it is somebody else's page
useEngine(new ApiEngine(openEngine().backend));
defineBoard();
