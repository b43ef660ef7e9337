/* global db */
// Creates the user of the services, who may only read and write their databases, or gives these rights to the one that
// exists. MongoDB's image runs it when the data folder is empty.
const databases = ['auth', 'events', 'uploads', 'contact', 'media', 'notifications'].map(
  (service) => `confetti-${service}`,
)
const admin = db.getSiblingDB('admin')
const name = process.env.MONGO_USER
const roles = databases.map((database) => ({ role: 'readWrite', db: database }))
if (admin.getUser(name)) admin.updateUser(name, { roles })
else admin.createUser({ user: name, pwd: process.env.MONGO_PASSWORD, roles })
