'use client'
import type { Controller } from '@roundtable/core'
// The namespace, not the name: the React of server components has no contexts, and naming one in an import fails there.
import * as React from 'react'

/** The context of a tree's controller. The React of server components has no contexts, and never reads it. */
export const ControllerContext: React.Context<Controller | undefined> = React.createContext?.<Controller | undefined>(
  undefined,
)
