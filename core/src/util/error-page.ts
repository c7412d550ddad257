/**
 * The end of a message in development: where the page of an error's code is. The package has these pages; `scripts/release/addresses.mjs`
 * puts the address of the site here before anything is published.
 */
export function errorPage(code: string): string {
  return ` See node_modules/@roundtable/core/docs/errors/${code}.md`
}
