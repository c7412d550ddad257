import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('routes/issues.tsx'),
  route('issues/:id', 'routes/issue.tsx'),
  route('static', 'routes/static.tsx'),
  route('api/*', 'routes/api.ts'),
] satisfies RouteConfig
