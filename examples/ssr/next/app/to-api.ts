/** Sends a request from this server to the API. Browsers ask this server instead: see api/[...path]/route.ts. */
export function toApi(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  return fetch(new URL(String(input), process.env.API_URL), init)
}
