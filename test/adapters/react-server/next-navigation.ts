// In the place of Next's module: tells what would be put into the page.
export const inserted: (() => unknown)[] = []

export function useServerInsertedHTML(callback: () => unknown): void {
  inserted.push(callback)
}
