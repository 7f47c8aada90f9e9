/** A wallet of this browser that can sign a text. */
export type SigningWallet = {
  family: 'evm' | 'svm'
  name: string
  icon: string | null
  connect(): Promise<{ address: string; chainId: number }>
  /** The signature as the service reads it: 0x and hex, Solana's too. */
  sign(message: string, address: string): Promise<string>
}

/** Tells which wallets there are, again when more announce themselves. Returns how to stop. */
export function watchWallets(tell: (wallets: SigningWallet[]) => void): () => void {
  const found = new Map<string, SigningWallet>()
  const add = (id: string, wallet: SigningWallet) => {
    found.set(id, wallet)
    tell([...found.values()])
  }
  const stops = [watchEthereum(add), watchSolana(add)]
  return () => {
    for (const stop of stops) stop()
  }
}

type Add = (id: string, wallet: SigningWallet) => void

type Eip1193 = { request(call: { method: string; params?: unknown[] }): Promise<unknown> }
type Announced = { info: { uuid: string; name: string; icon: string }; provider: Eip1193 }

// EIP-6963: wallets announce themselves, whoever was there first.
function watchEthereum(add: Add): () => void {
  const hear = (event: Event) => {
    const { info, provider } = (event as CustomEvent<Announced>).detail
    add(info.uuid, ethereum(info, provider))
  }
  addEventListener('eip6963:announceProvider', hear)
  dispatchEvent(new Event('eip6963:requestProvider'))
  return () => removeEventListener('eip6963:announceProvider', hear)
}

function ethereum({ name, icon }: Announced['info'], provider: Eip1193): SigningWallet {
  return {
    family: 'evm',
    name,
    icon,
    async connect() {
      const [accounts, chain] = [
        await provider.request({ method: 'eth_requestAccounts' }),
        await provider.request({ method: 'eth_chainId' }),
      ]
      const { getAddress } = await import('viem')
      return { address: getAddress(String((accounts as string[])[0])), chainId: Number(chain) }
    },
    async sign(message, address) {
      const { stringToHex } = await import('viem')
      return String(await provider.request({ method: 'personal_sign', params: [stringToHex(message), address] }))
    },
  }
}

type SolanaAccount = { address: string }
type StandardWallet = {
  name: string
  icon: string
  chains: readonly string[]
  features: {
    'standard:connect'?: { connect(): Promise<{ accounts: readonly SolanaAccount[] }> }
    'solana:signMessage'?: {
      signMessage(input: { account: SolanaAccount; message: Uint8Array }): Promise<readonly { signature: Uint8Array }[]>
    }
  }
}

// The Wallet Standard: wallets register with the application, before or after it is there.
function watchSolana(add: Add): () => void {
  const register = (...wallets: StandardWallet[]) => {
    for (const wallet of wallets) if ('solana:signMessage' in wallet.features) add(`solana ${wallet.name}`, solana(wallet))
    return () => {}
  }
  const hear = (event: Event) => (event as CustomEvent<(api: { register: typeof register }) => void>).detail({ register })
  addEventListener('wallet-standard:register-wallet', hear)
  dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }))
  return () => removeEventListener('wallet-standard:register-wallet', hear)
}

function solana(wallet: StandardWallet): SigningWallet {
  let account: SolanaAccount | undefined
  return {
    family: 'svm',
    name: wallet.name,
    icon: wallet.icon,
    async connect() {
      const connected = await wallet.features['standard:connect']?.connect()
      account = connected?.accounts[0]
      if (!account) throw new Error(`${wallet.name} gave no account`)
      return { address: account.address, chainId: 0 }
    },
    async sign(message) {
      if (!account) throw new Error(`${wallet.name} is not connected`)
      const [signed] =
        (await wallet.features['solana:signMessage']?.signMessage({ account, message: new TextEncoder().encode(message) })) ?? []
      if (!signed) throw new Error(`${wallet.name} did not sign`)
      return `0x${[...signed.signature].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
    },
  }
}
