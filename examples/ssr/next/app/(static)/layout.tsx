import type { ReactNode } from 'react'
import { Providers } from '../providers'

export const metadata = { title: 'Issues', icons: 'data:,' }

/** Reads nothing of a request, so all of it is made when the application is built. */
export default function Layout({ children }: { children: ReactNode }): ReactNode {
  return (
    <html lang="en">
      <body>
        <Providers>
          <main>{children}</main>
          <footer>Made with Roundtable</footer>
        </Providers>
      </body>
    </html>
  )
}
