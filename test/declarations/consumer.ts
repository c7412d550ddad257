// Reads the emitted declarations of every package, as an application would; checked with older and newer compilers too.
export * as core from '@roundtable/core'
export * as react from '@roundtable/react'
export * as svelte from '@roundtable/svelte'
export * as vue from '@roundtable/vue'
