// For svelte-check, which reads no vitest.config.ts.
export default { compilerOptions: { experimental: { async: true } } }
