package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
)

// MongoDB updates a document atomically. FerretDB 1.24 reads the document, changes the copy and writes it back, so of
// two concurrent updates one is lost, although both may report success. This proxy forwards every command, and serializes
// the commands that change existing documents, with one lock per collection.

// Commands that FerretDB implements as a read followed by a write.
var changing = map[string]bool{"update": true, "findAndModify": true, "findandmodify": true, "delete": true}

const (
	headerBytes  = 16
	largest      = 64 << 20
	opMsg        = 2013
	moreToCome   = 1 << 1
	stringType   = 0x02
	documentBody = 0
)

type locks struct {
	mutex sync.Mutex
	of    map[string]*sync.Mutex
}

func (l *locks) get(collection string) *sync.Mutex {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.of[collection] == nil {
		l.of[collection] = &sync.Mutex{}
	}
	return l.of[collection]
}

func serveOneChangeAtATime(ctx context.Context, address, socket string, inserted *growth) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	go func() {
		<-ctx.Done()
		listener.Close()
	}()
	collections := &locks{of: map[string]*sync.Mutex{}}
	for {
		client, err := listener.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		go serve(client, socket, collections, inserted)
	}
}

// Handles one request at a time per connection: drivers wait for the reply before the next request.
func serve(client net.Conn, socket string, collections *locks, inserted *growth) {
	defer client.Close()
	server, err := net.Dial("unix", socket)
	if err != nil {
		return
	}
	defer server.Close()
	for {
		request, err := readMessage(client)
		if err != nil {
			return
		}
		if exchange(client, server, request, collections) != nil {
			return
		}
		if name, _ := command(request); name == "insert" {
			inserted.add(len(request))
		}
	}
}

func exchange(client, server net.Conn, request []byte, collections *locks) error {
	reply, err := ask(server, request, collections)
	if err != nil || reply == nil {
		return err
	}
	_, err = client.Write(reply)
	return err
}

// Holds the lock until FerretDB replies, and never while writing to the client, so that a client that has
// disconnected does not block others.
func ask(server net.Conn, request []byte, collections *locks) ([]byte, error) {
	if name, collection := command(request); changing[name] {
		lock := collections.get(collection)
		lock.Lock()
		defer lock.Unlock()
	}
	if _, err := server.Write(request); err != nil {
		return nil, err
	}
	if expectsNoReply(request) {
		return nil, nil
	}
	return readMessage(server)
}

func readMessage(from io.Reader) ([]byte, error) {
	length := make([]byte, 4)
	if _, err := io.ReadFull(from, length); err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint32(length)
	if size < headerBytes || size > largest {
		return nil, errors.New("not a message")
	}
	message := make([]byte, size)
	copy(message, length)
	_, err := io.ReadFull(from, message[4:])
	return message, err
}

func isOpMsg(message []byte) bool {
	return len(message) > headerBytes+4 && binary.LittleEndian.Uint32(message[12:]) == opMsg
}

func expectsNoReply(message []byte) bool {
	return isOpMsg(message) && binary.LittleEndian.Uint32(message[headerBytes:])&moreToCome != 0
}

// The first element of a command's document has the command as its name and the collection as its string value.
func command(message []byte) (name, collection string) {
	const elementAt = headerBytes + 4 + 1 + 4
	if !isOpMsg(message) || message[headerBytes+4] != documentBody || len(message) <= elementAt || message[elementAt] != stringType {
		return "", ""
	}
	key, rest, _ := bytes.Cut(message[elementAt+1:], []byte{0})
	if len(rest) < 4 {
		return "", ""
	}
	value, _, _ := bytes.Cut(rest[4:], []byte{0})
	return string(key), database(message) + "." + string(value)
}

func database(message []byte) string {
	_, value, found := bytes.Cut(message, []byte("\x02$db\x00"))
	if !found || len(value) < 4 {
		return ""
	}
	name, _, _ := bytes.Cut(value[4:], []byte{0})
	return string(name)
}
