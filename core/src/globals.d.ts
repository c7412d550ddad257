/** Bundlers replace `process.env.NODE_ENV`, so development checks disappear from production builds. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }
