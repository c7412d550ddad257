// The exports for server components: the client components that they can render. Hooks work only in client components.
export { AsyncBoundary, type AsyncBoundaryProps } from './async-boundary.js'
export { DataProvider, type DataProviderProps } from './data-provider.js'
export {
  ErrorBoundary,
  ErrorBoundary as NetworkErrorBoundary,
  type ErrorBoundaryProps,
  type ErrorFallbackProps,
} from './error-boundary.js'
