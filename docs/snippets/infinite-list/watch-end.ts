/** Calls a function when an element is in view; returns the function that stops it. */
export function watchEnd(end: Element, onSeen: () => void): () => void {
  const observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) onSeen()
  })
  observer.observe(end)
  return () => observer.disconnect()
}
