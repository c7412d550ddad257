/**
 * The name of the log on this device that the page reads and writes, from its address (`?log=device`): who has the same
 * one shares rows and changes that wait. Undefined for a page that keeps nothing.
 */
export const logName: string | undefined = /^\w{1,40}$/.exec(new URLSearchParams(location.search).get('log') ?? '')?.[0]
