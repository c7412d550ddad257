/** Bundlers replace `process.env.NODE_ENV`, so development checks disappear from production builds. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

/** The Node functions that `offline/file.ts` uses. Core has no Node types, since it usually runs elsewhere. */
declare module 'node:fs/promises' {
  interface FileHandle {
    stat(): Promise<{ readonly size: number }>
    truncate(length: number): Promise<void>
    appendFile(bytes: Uint8Array): Promise<void>
    writeFile(bytes: Uint8Array): Promise<void>
    sync(): Promise<void>
    close(): Promise<void>
  }
  function open(path: string, flags: string): Promise<FileHandle>
  function readFile(path: string): Promise<Uint8Array>
  function rename(from: string, to: string): Promise<void>
}
