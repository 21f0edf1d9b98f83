/** Puts each symbol beside the drawing that it must look like. */
export function show(pairs) {
  document.body.style.color = '#0a7';
  for (const [name, [symbol, drawing]] of Object.entries(pairs)) {
    const row = document.createElement('div');
    row.id = name;
    row.style.lineHeight = '64px';
    row.innerHTML = `<p class="symbol">${symbol}</p><p class="drawing">${drawing}</p>`;
    document.body.append(row);
  }
}
