import { readFileSync } from 'node:fs'
import { contentSecurityPolicy } from './frontends.ts'

// Prints the Content-Security-Policy of a built index.html as nginx configuration. The origins are nginx
// variables.
const page = readFileSync(process.argv[2] ?? 'index.html', 'utf8')
const policy = contentSecurityPolicy(page, {
  scripts: '$script_origins',
  connections: '$connect_origins',
  media: '$media_origins',
})
console.log(`map "" $content_security_policy {\n  default "${policy}";\n}`)
