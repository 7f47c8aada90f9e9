import { parseAbi } from 'viem'

/** The token functions that the tests and the demo use, with static types; the compiled artifacts have none. */
export const usdcAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function nonces(address owner) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
  'function mint(address to, uint256 value)',
  'function blacklist(address account, bool listed)',
  'function pause(bool stopped)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
])

export const walletAbi = parseAbi([
  'constructor(address walletOwner)',
  'function owner() view returns (address)',
  'function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)',
  'function burnGas(bool burn)',
  'function answerAtLength(uint32 length, bool failing)',
  'function execute(address target, bytes data) payable returns (bytes)',
])

/** What `HostileToken` has beside USDC's functions. */
export const hostileTokenAbi = parseAbi([
  'function setMode(uint8 mode)',
  'function reenter(address into, bytes with)',
  'function reentered() view returns (bool)',
])

/** The modes of `HostileToken`, by their number. */
export const hostileModes = {
  honest: 0,
  returnsFalse: 1,
  silent: 2,
  takesFee: 3,
  logsMore: 4,
  reenters: 5,
  reverts: 6,
  revertsWherePaid: 7,
  logsBetween: 8,
} as const

/** The functions of `WalletFactory` and `HostileFactory`. */
export const factoryAbi = parseAbi([
  'function create(address owner, uint256 salt) returns (address)',
  'function addressOf(address owner, uint256 salt) view returns (address)',
  'function createNothing()',
  'function fail()',
  'function burn()',
  'function createWhereFree(address owner, uint256 salt)',
  'function burnWherePaid(address owner, uint256 salt)',
  'function callBack(address owner, uint256 salt, address target, bytes data)',
  'function calledBack() view returns (bool)',
  'function answerAtLength(address owner, uint256 salt, uint256 length)',
])
