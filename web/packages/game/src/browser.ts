// For browsers: the game's module, fetched from beside this file.
import { compileFrom } from '../../fetched';

export default () => compileFrom(new URL(/* @vite-ignore */ './game.wasm', import.meta.url));
