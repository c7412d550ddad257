/** The drawings of the page's icons, in a square of 16: the `d` of a path. */
export const icons = {
  add: 'M8 3v10M3 8h10',
  board: 'M2.5 3h3v10h-3zM6.5 3h3v6.5h-3zM10.5 3h3v8.5h-3z',
  chart: 'M2.5 2.5v11h11M5 9.5l3-3 2 2 3.5-4',
  close: 'M4 4l8 8M12 4l-8 8',
  dark: 'M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6z',
  due: 'M3 4h10v9H3zM3 7h10M6 2.5V5M10 2.5V5',
  edit: 'M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2z',
  failed: 'M8 5v3.5M8 11v.01M8 2l6.2 11.5H1.8z',
  keys: 'M2 4.5h12v7H2zM4.5 7v.01M7 7v.01M9.5 7v.01M12 7v.01M5.5 9.5h5',
  left: 'M9.5 4l-4 4 4 4',
  light:
    'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7',
  log: 'M3 4h.01M6 4h7M3 8h.01M6 8h7M3 12h.01M6 12h5',
  right: 'M6.5 4l4 4-4 4',
  system: 'M2.5 3h11v7.5h-11zM6 13.5h4M8 10.5v3',
  task: 'M3 3h10v10H3zM5.5 8l1.8 1.8L10.5 6.5',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
} as const

/** The name of an icon. */
export type IconName = keyof typeof icons

/** An icon for scripts that make their elements themselves. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', icons[name])
  svg.append(path)
  return svg
}
