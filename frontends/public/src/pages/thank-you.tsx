export { Thanks as ThankYou } from '../features/thank-you/thanks.tsx'
