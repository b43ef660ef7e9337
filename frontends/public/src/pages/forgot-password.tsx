export { ForgotPasswordForm as ForgotPassword } from '../features/account/forgot-password-form.tsx'
