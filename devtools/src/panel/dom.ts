/** The attributes of an element by name, including `class`, and its listeners by names such as `onclick`. */
type Props = Readonly<Record<string, string | boolean | number | ((event: never) => void) | undefined>>

/** Creates an element. Strings always become text, never markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: readonly (Node | string | undefined | false)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== undefined && value !== false) element.setAttribute(name, `${value}`)
  }
  for (const child of children) if (child) element.append(child)
  return element
}

const SVG = 'http://www.w3.org/2000/svg'

/** Creates an icon drawn with lines on 16 × 16, since fonts lack some symbols or colour them. */
export function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  const line = document.createElementNS(SVG, 'path')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}
