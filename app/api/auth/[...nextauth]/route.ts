import type { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { currentApp } from '@/server/app'
import { authOptions } from './options'

type Context = { params: Promise<{ nextauth: string[] }> }

async function handler(request: NextRequest, context: Context): Promise<Response> {
  const answer: unknown = await NextAuth(request, { params: await context.params }, authOptions(currentApp()))
  return answer as Response
}

export { handler as GET, handler as POST }
