import { addDays, daysBetween, shortDay } from '../app/dates.js'
import type { BurnDown } from './burn-down.js'

const LEFT = 34
const BOTTOM = 20
const TOP = 8
const RIGHT = 8

/** Where days and counts stand in the picture. */
export interface Scale {
  readonly left: number
  readonly right: number
  readonly bottom: number
  x(day: number): number
  y(count: number): number
  /** The day at a distance from the left, counted from the first. */
  dayAt(x: number): number
  readonly counts: readonly number[]
  readonly days: readonly { readonly index: number; readonly label: string }[]
}

/** Lays a burn-down out in a picture of a size in pixels. */
export function scaleOf({ firstDay, lastDay, peak }: BurnDown, width: number, height: number): Scale {
  const last = Math.max(1, daysBetween(firstDay, lastDay))
  const step = niceStep(peak / 3)
  const top = Math.ceil(peak / step) * step
  const right = Math.max(LEFT + 1, width - RIGHT)
  const bottom = Math.max(TOP + 1, height - BOTTOM)
  const every = Math.max(7, Math.ceil(last / Math.max(2, width / 90) / 7) * 7)
  return {
    left: LEFT,
    right,
    bottom,
    x: (day) => LEFT + (day / last) * (right - LEFT),
    y: (count) => bottom - (count / top) * (bottom - TOP),
    dayAt: (x) => Math.max(0, Math.min(last, Math.round(((x - LEFT) / (right - LEFT)) * last))),
    counts: Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step),
    days: Array.from({ length: Math.floor(last / every) + 1 }, (_, at) => ({
      index: at * every,
      label: shortDay(addDays(firstDay, at * every)),
    })),
  }
}

/** The points of a line, as SVG wants them. */
export function line(scale: Scale, counts: readonly number[], firstDay = 0): string {
  return counts.map((count, index) => `${round(scale.x(firstDay + index))},${round(scale.y(count))}`).join(' ')
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)))
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10
  return Math.max(1, step * power)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
