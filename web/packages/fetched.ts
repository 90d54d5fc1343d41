/** The module at an address, compiled. */
export async function compileFrom(url: URL): Promise<WebAssembly.Module> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  // Servers that do not know the type of .wasm are common.
  if (answer.headers.get('content-type') === 'application/wasm') return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}
