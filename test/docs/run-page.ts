import { writePage } from './page.js'
import { Workshop } from './workshop.js'

/**
 * The files of a page, in a workshop of their own, to be imported: a test that a page shows is one of the tests that
 * import it.
 *
 * @returns how to import one of its files, and its end
 */
export function openPage(page: string): { load<Module>(file: string): Promise<Module>; close(): void } {
  const workshop = new Workshop()
  writePage(workshop, page)
  return {
    // Its types are checked where all pages are compiled; whoever imports it says what it needs.
    load: (file) => import(/* @vite-ignore */ `${workshop.folder}/${page}/${file}`),
    close: () => workshop.remove(),
  }
}
