package wire

import (
	"reflect"
	"strconv"
	"unicode/utf8"
)

// legible returns a copy of a result in which every text that is not UTF-8, as the names of files may be, is quoted with \x
// escapes: JSON would put one and the same mark for each byte that it cannot hold, so that two names would read alike.
func legible(result any) any {
	value := reflect.ValueOf(result)
	return copied(value).Interface()
}

func copied(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		out.SetString(v.String())
		if !utf8.ValidString(v.String()) {
			out.SetString(strconv.Quote(v.String()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(copied(v.Elem()))
		}
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(copied(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(copied(v.Field(i)))
		}
	case reflect.Slice:
		if v.IsNil() || v.Type().Elem().Kind() == reflect.Uint8 {
			return v // a payload is JSON text already
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(copied(v.Index(i)))
		}
	default:
		return v
	}
	return out
}
