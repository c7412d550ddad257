import { defineConfig } from 'vitest/config'
import apps from './test/projects/apps.js'
import compat from './test/projects/compat.js'
import plain from './test/projects/plain.js'
import react from './test/projects/react.js'
import svelte from './test/projects/svelte.js'
import types from './test/projects/types.js'
import unit from './test/projects/unit.js'
import vue from './test/projects/vue.js'

// Everything that `npm test` runs but Chromium. For one file, ask the configuration of its project, which loads no
// other framework: npx vitest run -c test/projects/unit.ts test/core/order.test.ts
export default defineConfig({
  test: { projects: [unit, apps, plain, react, vue, svelte, compat, types], maxWorkers: 2 },
})
