// A dynamic import, so that module federation loads the shared modules first.
void import('./bootstrap.tsx')
