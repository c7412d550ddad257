// The API is another server's: requests for it go on, with the user's cookies.
export default defineEventHandler((event) => proxyRequest(event, `${useRuntimeConfig(event).apiUrl}${event.path}`))
