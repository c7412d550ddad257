'use client'
import type { Controller } from '@roundtable/core'
// A namespace import, since the React of server components has no contexts, and a named import would fail there.
import * as React from 'react'

/** The context of a tree's controller; undefined in server components, which never read it. */
export const ControllerContext: React.Context<Controller | undefined> = React.createContext?.<Controller | undefined>(
  undefined,
)
