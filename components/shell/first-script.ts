// Nobody sees the other theme flash.
const THEME = `try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`
// Dialogs write a style while they are open, and take the nonce for it from here.
const NONCE = 'globalThis.__webpack_nonce__=document.currentScript.nonce'
// The policy lets no function be made of text; zod would try, and the attempt is reported.
const PARSER = 'globalThis.__zod_globalConfig={jitless:true}'

/** Run before the first paint and before any other script. */
export const FIRST_SCRIPT = [THEME, NONCE, PARSER].join(';')
