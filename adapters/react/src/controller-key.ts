'use client'
import type { Controller } from '@roundtable/core'
// The namespace, not the name: the React of server components has no contexts, and naming one in an import fails there.
import * as React from 'react'

/** Holds the controller of a tree. The React of server components makes none, and they never look at it. */
export const ControllerContext: React.Context<Controller | undefined> = React.createContext?.<Controller | undefined>(
  undefined,
)
