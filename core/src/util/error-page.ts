/**
 * The end of a message in development: where the page of an error's code is. The site is the `homepage` in package.json, as
 * test/docs/errors.test.ts checks.
 */
export function errorPage(code: string): string {
  return ` https://roundtable.example/errors/${code}`
}
