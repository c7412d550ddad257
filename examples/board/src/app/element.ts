/** Properties of an element; names with a dash are attributes. */
export type Properties = Readonly<Record<string, unknown>>

/** Makes an element with properties and children: all that the plain parts of the page need of a framework. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-')) made.setAttribute(name, String(value))
    else Reflect.set(made, name, value)
  }
  made.append(...children)
  return made
}

/** The element of the page with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`index.html has no element #${id}.`)
  return found
}
