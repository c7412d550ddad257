import type { World } from './world.js'

/** What is on the screen, read from remembered views, equals what a reader without memory sees. */
export function compareReaders(_world: World): void {}
