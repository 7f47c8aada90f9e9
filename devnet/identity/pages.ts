const page = (body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local sign-in</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 24rem; margin: 15vh auto; padding: 0 1rem; color-scheme: light dark }
  label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit }
  input, button { padding: .5rem .75rem; margin-top: .5rem }
  p { opacity: .75 }
</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>`

/** The page on which somebody says who they are. */
export function signInPage(action: string): string {
  return page(`<h1>Sign in</h1>
<form method="post" action="${action}">
<label for="user">User name</label>
<input id="user" name="user" required maxlength="200" autocomplete="username" autofocus placeholder="alice">
<button type="submit">Sign in</button>
</form>
<p>This identity provider is for local use only: it asks for no password and believes every name.</p>`)
}

/** The page for a sign-in that is over or never began. */
export function wrongPage(): string {
  return page('<h1>Nothing to sign in to</h1>\n<p>This sign-in is over. Go back to the dashboard and begin again.</p>')
}
