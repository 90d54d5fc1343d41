/** Loads and compiles the module: what `modules` of openEngine() takes. */
declare const load: () => Promise<WebAssembly.Module>;
export default load;
