/** Run before the first paint, so that nobody sees the other theme flash. */
export const THEME_SCRIPT = `try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`
