/** Shows two readers of the list, each with a button that closes it. */
export type Show = (element: HTMLElement) => void

const frameworks: Readonly<Record<string, () => Promise<{ readonly show: Show }>>> = {
  react: () => import('./in-react.js'),
  vue: () => import('./in-vue.js'),
  svelte: () => import('./in-svelte.js'),
}

const framework = await frameworks[location.hash.slice(1)]?.()
framework?.show(document.querySelector('main') as HTMLElement)
