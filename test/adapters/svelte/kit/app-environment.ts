/** SvelteKit's `$app/environment`. */
export let building = false

export function setBuilding(is: boolean): void {
  building = is
}
