import type { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { currentApp } from '@/server/app'
import { answerAuth } from './answer'

type Context = { params: Promise<{ nextauth: string[] }> }

async function handler(request: NextRequest, { params }: Context): Promise<Response> {
  const { nextauth } = await params
  return answerAuth(currentApp(), request, nextauth, async (options) => {
    const answer: unknown = await NextAuth(request, { params: { nextauth } }, options)
    return answer as Response
  })
}

export { handler as GET, handler as POST }
