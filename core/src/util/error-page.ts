/**
 * Returns the end of a message in development: the location of the page of an error's code. The package contains these
 * pages; `scripts/release/addresses.mjs` inserts the address of the site before a release.
 */
export function errorPage(code: string): string {
  return ` See node_modules/@roundtable/core/docs/errors/${code}.md`
}
