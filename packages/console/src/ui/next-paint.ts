/** Resolves once the browser has shown what is there now. */
export const nextPaint = () =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
