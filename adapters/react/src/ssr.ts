'use client'
export { Hydrate, type HydrateProps } from './hydrate.js'
