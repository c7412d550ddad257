import { env } from 'node:process'

/** @type {import('@sveltejs/kit').Config} */
export default {
  compilerOptions: { experimental: { async: true } },
  kit: {
    // What is generated goes with the run.
    outDir: env.KIT_OUT_DIR ?? '.svelte-kit',
    experimental: { remoteFunctions: true },
  },
}
