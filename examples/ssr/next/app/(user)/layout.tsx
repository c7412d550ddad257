import { headers } from 'next/headers'
import Link from 'next/link'
import { type ReactNode, Suspense } from 'react'
import { Providers } from '../providers'

export const metadata = { title: 'Issues', icons: 'data:,' }

export default function Layout({ children }: { children: ReactNode }): ReactNode {
  return (
    // Above the document, since a policy with a nonce allows no part of it to be made in advance.
    <Suspense>
      <Page>{children}</Page>
    </Suspense>
  )
}

async function Page({ children }: { children: ReactNode }): Promise<ReactNode> {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  return (
    <html lang="en">
      <body>
        <Providers nonce={nonce}>
          <nav>
            <Link href="/">All issues</Link>
          </nav>
          <main>{children}</main>
          <footer>Made with Roundtable</footer>
        </Providers>
      </body>
    </html>
  )
}
