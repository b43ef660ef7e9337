import { readFileSync } from 'node:fs'
import { contentSecurityPolicy } from './frontends.ts'
import { CRAWLERS } from './link-previews.ts'

// Prints as nginx configuration what the server of the shell has in common with that of `npm start`: the
// Content-Security-Policy of a built index.html, whose origins are nginx variables, and which of the gateway's answers to a
// short link its client gets.
const page = readFileSync(process.argv[2] ?? 'index.html', 'utf8')
const policy = contentSecurityPolicy(page, {
  scripts: '$script_origins',
  connections: '$connect_origins',
  media: '$media_origins',
})
console.log(`map "" $content_security_policy {\n  default "${policy}";\n}`)
console.log(`map $http_user_agent $link_answer {\n  default link;\n  "~*${CRAWLERS}" preview;\n}`)
